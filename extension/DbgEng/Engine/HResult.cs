namespace HangTriage.DbgEng.Engine;

internal static class HResult
{
    public const int Ok = 0;
    public const int Fail = unchecked((int)0x80004005);
    public const int InvalidArgument = unchecked((int)0x80070057);
    public const int Abort = unchecked((int)0x80004004);

    /// <summary>HRESULT_FROM_WIN32(ERROR_BAD_FORMAT): the target is of a kind that cannot be judged.</summary>
    public const int BadFormat = unchecked((int)0x8007000B);

    /// <summary>HRESULT_FROM_WIN32(ERROR_NOT_READY): there is no target, or it runs.</summary>
    public const int NotReady = unchecked((int)0x80070015);

    /// <summary>HRESULT_FROM_NT(STATUS_CONTROL_C_EXIT): the engine's own answer to Ctrl+Break in the middle of a call.</summary>
    public const int Interrupted = unchecked((int)0xD000013A);
}
