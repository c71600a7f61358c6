using System.Runtime.InteropServices;

namespace HangTriage.Capture.Windows.Live;

/// <summary>A process that this one may query and read.</summary>
internal sealed unsafe class OpenProcess : IDisposable
{
    private OpenProcess(uint id, nint handle)
    {
        Id = id;
        Handle = handle;
    }

    public uint Id { get; }

    public nint Handle { get; }

    /// <summary>It has ended; its handles alone keep it.</summary>
    public bool HasEnded
    {
        get
        {
            uint code = 0;
            return WindowsCalls.GetExitCodeProcess(Handle, &code) != 0 && code != WindowsCalls.StillActive;
        }
    }

    /// <summary>It runs 32-bit code in 64-bit Windows (WoW64).</summary>
    public bool Is32Bit
    {
        get
        {
            int isWow64 = 0;
            return WindowsCalls.IsWow64Process(Handle, &isWow64) != 0 && isWow64 != 0;
        }
    }

    /// <summary>When it started; null where the system does not say.</summary>
    public DateTimeOffset? StartedAt
    {
        get
        {
            long created = 0, ended = 0, kernel = 0, user = 0;
            return WindowsCalls.GetProcessTimes(Handle, &created, &ended, &kernel, &user) != 0 && created > 0 ? LiveThreads.TimeOf(created) : null;
        }
    }

    /// <summary>Null where it cannot be opened, with the system's error (winerror.h).</summary>
    public static OpenProcess? Of(uint id, out int error)
    {
        nint handle = WindowsCalls.OpenProcess(WindowsCalls.QueryProcess | WindowsCalls.VirtualMemoryRead, 0, id);
        error = handle == 0 ? Marshal.GetLastPInvokeError() : 0;
        return handle == 0 ? null : new OpenProcess(id, handle);
    }

    /// <summary>Reads its memory as it is now.</summary>
    /// <returns>Bytes read; fewer than asked for where the rest cannot be read.</returns>
    public int Read(ulong address, Span<byte> buffer)
    {
        nuint read = 0;
        fixed (byte* start = buffer)
        {
            _ = WindowsCalls.ReadProcessMemory(Handle, address, start, (nuint)buffer.Length, &read);
        }

        return (int)read;
    }

    public void Dispose() => _ = WindowsCalls.CloseHandle(Handle);
}
