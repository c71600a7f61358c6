using System.Text;
using HangTriage.DbgEng.Engine;

namespace HangTriage.DbgEng;

/// <summary>Prints in the debugger, line by line, in ASCII: what its window does not show becomes '?'.</summary>
internal sealed unsafe class EngineOutput : TextWriter
{
    private const uint Normal = 0x1;
    private const uint Error = 0x2;
    private const uint AmbientText = 0xFFFF_FFFF;
    private const uint AmbientDml = 0xFFFF_FFFE;

    private readonly IDebugControl2 _control;
    private readonly uint _mask;
    private readonly uint _outputControl;
    private readonly StringBuilder _line = new();

    private EngineOutput(DebugSession session, uint mask, bool isDml)
    {
        _control = session.Control;
        _mask = mask;
        _outputControl = isDml ? AmbientDml : AmbientText;
    }

    public override Encoding Encoding => Encoding.ASCII;

    /// <param name="session">Where to print.</param>
    /// <param name="isDml">What is written is markup of the debugger (DML).</param>
    public static EngineOutput Of(DebugSession session, bool isDml = false) => new(session, Normal, isDml);

    public static EngineOutput Errors(DebugSession session) => new(session, Error, false);

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
            _ = _control.ControlledOutput(_outputControl, _mask, format, argument);
        }
    }

    protected override void Dispose(bool disposing)
    {
        Flush();
        base.Dispose(disposing);
    }
}
