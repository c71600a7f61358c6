namespace HangTriage.Facts.Calls;

/// <summary>Functions of the public libraries of Windows that say what a thread is about.</summary>
public static class WindowsFunctions
{
    /// <summary>In the name of every function that sends a window message and waits for the answer.</summary>
    public const string SendMessage = "SendMessage";

    private const string Public = "documented";

    public static CallTable Table { get; } = new(
    [
        new("SwitchToThread", CallMeaning.Yields, Public),
        // COM's wait of a single-threaded apartment: messages are answered meanwhile.
        new("CoWaitForMultipleHandles", CallMeaning.WaitsAndPumps, Public),
        new("CoWaitForMultipleObjects", CallMeaning.WaitsAndPumps, Public),
        // DispatchMessageA, W and the worker behind both; CallWindowProcA, W and AorW.
        new("DispatchMessage", CallMeaning.DispatchesMessage, Public) { Module = WindowsModules.User32, IsPrefix = true },
        new("CallWindowProc", CallMeaning.DispatchesMessage, Public) { Module = WindowsModules.User32, IsPrefix = true },
    ]);

    /// <summary>The row of the function that a frame is in; null for other functions, and outside the row's module.</summary>
    public static KnownCall? Find(FrameFacts frame)
    {
        ArgumentNullException.ThrowIfNull(frame);
        return Table.Find(frame.Method) is { } row && (row.Module is null || WindowsModules.IsIn(frame, row.Module)) ? row : null;
    }
}
