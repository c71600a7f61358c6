using System.Text;
using HangTriage.DbgEng.Engine;

namespace HangTriage.DbgEng;

/// <summary>Prints in the debugger, line by line, in ASCII: what its window does not show becomes '?'.</summary>
internal sealed unsafe class EngineOutput(IDebugControl2 control, uint mask) : TextWriter
{
    public const uint Normal = 0x1;
    public const uint Error = 0x2;

    private readonly StringBuilder _line = new();

    public override Encoding Encoding => Encoding.ASCII;

    public override void Write(char value)
    {
        if (value == '\r')
        {
            return;
        }

        _line.Append(value);
        if (value == '\n')
        {
            Flush();
        }
    }

    public override void Flush()
    {
        if (_line.Length == 0)
        {
            return;
        }

        byte[] text = Encoding.ASCII.GetBytes(_line.Append('\0').ToString());
        _line.Clear();
        fixed (byte* format = "%s\0"u8)
        fixed (byte* argument = text)
        {
            _ = control.Output(mask, format, argument);
        }
    }

    protected override void Dispose(bool disposing)
    {
        Flush();
        base.Dispose(disposing);
    }
}
