using HangTriage.Reports.Summary;

namespace HangTriage.Cli;

/// <summary>
/// Finds the reports in a stream: one in each line (NDJSON), or written over several lines, from one with nothing but { to one with
/// nothing but }. Reads the stream once and keeps one report at a time. What is longer than a report can be is passed by as it is read.
/// </summary>
/// <param name="stream">The input.</param>
/// <param name="name">As the user names it.</param>
/// <param name="table">Gets what is found.</param>
/// <param name="longest">How many bytes a report may have.</param>
internal sealed class ReportLines(Stream stream, string name, SummaryTable table, int longest = ReportLines.LongestReport)
{
    /// <summary>A report of 10,000 threads with deep stacks has some 50 MB.</summary>
    public const int LongestReport = 256 * 1024 * 1024;

    private const int FirstBuffer = 256 * 1024;
    private const byte LineEnd = (byte)'\n';

    private byte[] _buffer = new byte[FirstBuffer];
    private int _used;
    private int _searched;
    private long _line = 1;

    // The line on which a report begins that is written over several lines; 0 outside of one.
    private long _opened;

    public void Read(CancellationToken cancellation)
    {
        while (Fill(cancellation))
        {
            cancellation.ThrowIfCancellationRequested();
            TakeLines();
        }

        Take(_buffer.AsSpan(0, _used), _opened > 0 ? _opened : _line);
    }

    private bool Fill(CancellationToken cancellation)
    {
        if (_used == _buffer.Length)
        {
            if (_buffer.Length >= longest)
            {
                return PassBy();
            }

            Array.Resize(ref _buffer, (int)Math.Min(longest, _buffer.Length * 2L));
        }

        // A terminal or a pipe may give nothing for long, and Ctrl+C does not break off its read.
        int read = stream.ReadAsync(_buffer, _used, _buffer.Length - _used, cancellation).WaitAsync(cancellation).GetAwaiter().GetResult();
        _used += read;
        return read > 0;
    }

    // Everything up to the next line end belongs to what is too long.
    private bool PassBy()
    {
        table.AddBad($"{name}:{_line}", "it is longer than a report can be");
        _used = _searched = 0;
        _opened = 0;
        for (int value = stream.ReadByte(); value >= 0; value = stream.ReadByte())
        {
            if (value == LineEnd)
            {
                _line++;
                return true;
            }
        }

        return false;
    }

    private void TakeLines()
    {
        int start = 0;
        while (_buffer.AsSpan(_searched, _used - _searched).IndexOf(LineEnd) is >= 0 and int found)
        {
            ReadOnlySpan<byte> line = _buffer.AsSpan(_searched, found).TrimEnd((byte)'\r');
            bool opens = line.SequenceEqual("{"u8);
            if (opens && _opened > 0)
            {
                Take(_buffer.AsSpan(start, _searched - start), _opened);
                start = _searched;
            }

            _opened = opens ? _line : _opened;
            _searched += found + 1;
            if (_opened == 0 || line.SequenceEqual("}"u8))
            {
                Take(_buffer.AsSpan(start, _searched - start), _opened > 0 ? _opened : _line);
                start = _searched;
                _opened = 0;
            }

            _line++;
        }

        _searched = _used - start;
        _buffer.AsSpan(start, _used - start).CopyTo(_buffer);
        _used -= start;
    }

    private void Take(ReadOnlySpan<byte> line, long number)
    {
        ReadOnlySpan<byte> text = line.Trim(" \t\r\n"u8);
        text = number == 1 && text.StartsWith("\uFEFF"u8) ? text[3..] : text;
        if (text.IsEmpty)
        {
            return;
        }

        string place = number == 1 ? name : $"{name}:{number}";
        ReportDigest? report = DigestReader.Read(text, out string? whyNot);
        if (report is null)
        {
            table.AddBad(place, whyNot!);
        }
        else
        {
            table.Add(report with { Place = place });
        }
    }
}
