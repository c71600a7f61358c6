using System.Net;

namespace HangTriage.Capture.Symbols;

/// <summary>
/// A symbol server: <c>GET ADDRESS/name/INDEX/name</c>. Everything that it says is bounded. A server that fails to
/// answer is not asked again in this capture: a hung one would cost its time limit for each module.
/// </summary>
internal sealed class SymbolServer : IDisposable
{
    private const int MaxRedirects = 5;
    private const int MaxFailures = 3;
    private const int ChunkSize = 1 << 16;
    private const long BytesPerReport = 1 << 20;

    private readonly Uri _address;
    private readonly CaptureContext _context;
    private readonly HttpClient _client;
    private int _failures;

    public SymbolServer(Uri address, CaptureContext context)
    {
        _address = address;
        _context = context;
        SocketsHttpHandler handler = new()
        {
            AllowAutoRedirect = false,
            UseCookies = false,
            UseProxy = !address.IsLoopback,
            ConnectTimeout = context.Limits.SymbolServerSilence,
            MaxResponseDrainSize = 0,
        };
        _client = new HttpClient(handler) { Timeout = Timeout.InfiniteTimeSpan };
        _client.DefaultRequestHeaders.UserAgent.ParseAdd("HangTriage");
    }

    public bool IsGivenUp => _failures >= MaxFailures;

    /// <summary>Downloads to a file, which is overwritten and of no use unless the answer is <see cref="SymbolAnswer.Done"/>.</summary>
    /// <param name="key">What is asked for.</param>
    /// <param name="path">The file.</param>
    /// <param name="limit">How long it may take.</param>
    /// <param name="why">What to say of a failure: a clause about the server.</param>
    /// <exception cref="OperationCanceledException">The context was cancelled.</exception>
    public SymbolAnswer Download(SymbolKey key, string path, TimeSpan limit, out string why)
    {
        using CancellationTokenSource time = CancellationTokenSource.CreateLinkedTokenSource(_context.Cancellation);
        time.CancelAfter(limit);
        try
        {
            (SymbolAnswer answer, why) = DownloadAsync(key, path, time.Token).GetAwaiter().GetResult();
            _failures = answer == SymbolAnswer.Failed ? _failures + 1 : 0;
            return answer;
        }
        catch (OperationCanceledException) when (!_context.Cancellation.IsCancellationRequested)
        {
            why = "it did not answer in time";
        }
        catch (UnauthorizedAccessException)
        {
            why = "its answer cannot be kept: the cache folder is not writable";
        }
        catch (HttpRequestException e)
        {
            why = $"it cannot be reached ({e.HttpRequestError})";
        }
        catch (HttpIOException e)
        {
            why = $"its answer broke off ({e.HttpRequestError})";
            _failures++;
            return SymbolAnswer.Failed;
        }
        catch (IOException e)
        {
            why = $"its answer cannot be read or kept (error 0x{e.HResult:x8})";
        }

        _failures = MaxFailures;
        return SymbolAnswer.Failed;
    }

    public void Dispose() => _client.Dispose();

    private async Task<(SymbolAnswer Answer, string Why)> DownloadAsync(SymbolKey key, string path, CancellationToken cancellation)
    {
        string name = Uri.EscapeDataString(key.FileName);
        Uri uri = new(_address, $"{name}/{key.Index}/{name}");
        for (int i = 0; i <= MaxRedirects; i++)
        {
            _context.Step();
            using HttpRequestMessage request = new(HttpMethod.Get, uri);
            using HttpResponseMessage response = await Send(request, cancellation).ConfigureAwait(false);
            switch (response.StatusCode)
            {
                case HttpStatusCode.OK:
                    return await Keep(response, key, path, cancellation).ConfigureAwait(false);
                case HttpStatusCode.NotFound or HttpStatusCode.Gone:
                    return (SymbolAnswer.NotThere, "");
                case HttpStatusCode.MovedPermanently or HttpStatusCode.Found or HttpStatusCode.SeeOther
                    or HttpStatusCode.TemporaryRedirect or HttpStatusCode.PermanentRedirect when response.Headers.Location is { } location:
                    uri = new Uri(uri, location);
                    if (uri.Scheme != _address.Scheme)
                    {
                        return (SymbolAnswer.Failed, $"it redirects from {_address.Scheme} to {uri.Scheme}, which is not followed");
                    }

                    break;
                default:
                    return (SymbolAnswer.Failed, $"it answered with status {(int)response.StatusCode}");
            }
        }

        return (SymbolAnswer.Failed, $"it redirects more than {MaxRedirects} times");
    }

    private async Task<HttpResponseMessage> Send(HttpRequestMessage request, CancellationToken cancellation)
    {
        using CancellationTokenSource silence = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        silence.CancelAfter(_context.Limits.SymbolServerSilence);
        return await _client.SendAsync(request, HttpCompletionOption.ResponseHeadersRead, silence.Token).ConfigureAwait(false);
    }

    private async Task<(SymbolAnswer Answer, string Why)> Keep(HttpResponseMessage response, SymbolKey key, string path, CancellationToken cancellation)
    {
        long limit = _context.Limits.SymbolFileBytes;
        long? stated = response.Content.Headers.ContentLength;
        if (stated > limit)
        {
            return (SymbolAnswer.Failed, $"its {key.FileName} has {stated} bytes, more than the limit of {limit}");
        }

        using Stream body = await response.Content.ReadAsStreamAsync(cancellation).ConfigureAwait(false);
        using FileStream file = new(path, FileMode.Create, FileAccess.Write, FileShare.None, bufferSize: 1);
        using CancellationTokenSource silence = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        byte[] chunk = new byte[ChunkSize];
        long total = 0;
        long nextReport = 0;
        while (true)
        {
            silence.CancelAfter(_context.Limits.SymbolServerSilence);
            int read = await body.ReadAsync(chunk, silence.Token).ConfigureAwait(false);
            if (read == 0)
            {
                return (SymbolAnswer.Done, "");
            }

            _context.Step();
            total += read;
            if (total > limit)
            {
                return (SymbolAnswer.Failed, $"its {key.FileName} has more bytes than the limit of {limit}");
            }

            file.Write(chunk.AsSpan(0, read));
            if (total >= nextReport)
            {
                nextReport = total + BytesPerReport;
                _context.Progress?.Report($"symbols: {key.FileName} from {_address.Host}, {total >> 20} MB");
            }
        }
    }
}
