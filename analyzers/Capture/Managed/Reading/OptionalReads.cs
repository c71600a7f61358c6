using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Reading;

/// <summary>While it lives, what is read may be missing in an input that is whole: it is no loss unless the input promised it.</summary>
internal sealed class OptionalReads : IDisposable
{
    private readonly IWatchedReader? _watch;
    private readonly bool _before;

    public OptionalReads(IDataReader reader)
    {
        _watch = reader as IWatchedReader;
        _before = _watch?.IsOptional ?? false;
        _watch?.IsOptional = true;
    }

    public void Dispose() => _watch?.IsOptional = _before;
}
