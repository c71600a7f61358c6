using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Tasks;

/// <summary>
/// The event that Task.Wait, Result, GetResult and WaitAll sleep on. The call makes one of its own and hands it to the tasks as a
/// continuation, so the thread that has it and sleeps waits for those tasks, whichever of the calls were compiled into others.
/// </summary>
/// <param name="Event">The event: Task.SetOnInvokeMres, or SetOnCountdownMres for several tasks.</param>
internal sealed record TaskBlocker(ClrObject Event)
{
    // ManualResetEventSlim.m_combinedState: the highest bit says that it is set, the lowest 19 how many threads wait.
    private const int Set = unchecked((int)0x8000_0000);
    private const int Waiters = 0x7_FFFF;

    private const string OfOne = "System.Threading.Tasks.Task+SetOnInvokeMres";
    private const string OfSeveral = "System.Threading.Tasks.Task+SetOnCountdownMres";

    /// <summary>The type of such an event.</summary>
    public static bool IsName(string? type) => type is OfOne or OfSeveral;

    /// <summary>The object that the event sleeps on inside, which a Monitor.Wait is recorded for.</summary>
    public ulong? Monitor => Event.Reference("m_lock") is { IsNull: false } gate ? gate.Address : null;

    /// <summary>How many tasks have to complete; null where the type does not say.</summary>
    public int? Left => Event.Number("_count");

    public bool IsOfSeveral => Event.Type?.Name == OfSeveral;

    /// <summary>The event is set: whoever sleeps on it is about to go on.</summary>
    public static bool IsSet(ClrObject found) => StateOf(found) is { } state && (state & Set) != 0;

    public static bool Is(ClrObject found) => IsName(found.Type?.Name);

    /// <summary>Null where the thread sleeps on none, or runs other code on top of that.</summary>
    public static TaskBlocker? Of(ThreadStack stack)
    {
        foreach (ClrStackFrame frame in stack.Frames)
        {
            if (stack.RootsOf(frame).FirstOrDefault(IsSleptOn) is { IsNull: false } found)
            {
                return new TaskBlocker(found);
            }

            if (frame.Method is { } method && !Frameworks.IsOfBaseLibrary(method.Type?.Name) && !IsInterop(method))
            {
                return null;
            }
        }

        return null;
    }

    /// <summary>A call into the system that .NET's own assemblies declare.</summary>
    public static bool IsInterop(ClrMethod method) => method.Type?.Name?.StartsWith("Interop", StringComparison.Ordinal) == true;

    // While the call still spins, nobody waits on it.
    private static bool IsSleptOn(ClrObject found)
        => StateOf(found) is { } state && (state & Set) == 0 && (state & Waiters) != 0;

    private static int? StateOf(ClrObject found) => Is(found) ? found.Number("m_combinedState") : null;
}
