using HangTriage.Capture.Managed.Locks;
using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Stalls;

/// <summary>
/// Finds threads in CancellationTokenRegistration.Dispose, which waits while another thread runs the registered callback:
/// the source's Registrations say which thread that is.
/// </summary>
internal sealed class TokenCallbacks(IReadOnlyList<ClrThread> threads, ThreadFrames walked, CaptureContext context)
{
    private const string Registrations = "System.Threading.CancellationTokenSource+Registrations";
    private const string Wait = "WaitForCallbackToComplete";

    // As .NET 8 to 10 name it, and then earlier ones.
    private static readonly string[] s_runnerFields = ["ThreadIDExecutingCallbacks", "_threadIDExecutingCallbacks"];

    public IEnumerable<Stall> Find()
    {
        foreach (ClrThread thread in threads)
        {
            context.Step();
            ClrStackFrame? waiting = walked.Of(thread).FirstOrDefault(frame => frame.Method is { Name: Wait, Type.Name: Registrations });
            if (waiting is not null
                && StackObjects.Of(thread).All(Registrations) is [ClrObject registrations]
                && RunnerOf(registrations) is { } runner
                && runner.Address != thread.Address)
            {
                LockFacts facts = Facts(registrations, runner);
                yield return new Stall(facts, [Stall.Wait(thread.OSThreadId, facts.Id, $"stack root of {Registrations}.{Wait}")]);
            }
        }
    }

    /// <summary>The thread that runs the callbacks whose end an async method waits for; null where the task is no such wait.</summary>
    public ThreadId? RunnerFor(ClrObject task)
    {
        if (task.Type?.Name?.Contains("+<WaitForCallbackToCompleteAsync>", StringComparison.Ordinal) != true
            || task.Type.GetFieldByName("StateMachine") is not { } machine)
        {
            return null;
        }

        ClrObject owner = ObjectFields.ObjectsIn(machine.Type, machine.GetAddress(task.Address)).FirstOrDefault(found => found.Type?.Name == Registrations);
        return !owner.IsNull && RunnerOf(owner) is { } runner ? new ThreadId(runner.OSThreadId) : null;
    }

    private static LockFacts Facts(ClrObject registrations, ClrThread runner)
        => Stall.Held(
            LockKind.Callback, registrations.Address, Known.Derived("System.Threading.CancellationTokenSource"), Known.Read(new ThreadId(runner.OSThreadId)));

    private ClrThread? RunnerOf(ClrObject registrations)
    {
        int? id = s_runnerFields.Select(name => registrations.Number(name)).FirstOrDefault(found => found is not null);
        return id is > 0 ? threads.FirstOrDefault(thread => thread.ManagedThreadId == id) : null;
    }
}
