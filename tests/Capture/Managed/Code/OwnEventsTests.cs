using System.Reflection;
using System.Reflection.Metadata;
using HangTriage.Capture.Managed.Code;
using HangTriage.Capture.Managed.Locks;

namespace HangTriage.Tests.Capture.Managed.Code;

/// <summary>Methods that wait for an event, as the compiler makes them: those that nobody can wake, and those that somebody may.</summary>
public sealed class OwnEventsTests
{
    private static ManualResetEvent? s_shared;

    [Theory]
    [InlineData(nameof(WaitsAtOnce), true)]
    [InlineData(nameof(WaitsWithoutLimit), true)]
    [InlineData(nameof(KeepsAVariable), true)]
    [InlineData(nameof(Disposes), true)]
    [InlineData(nameof(WaitsForASlimOne), true)]
    [InlineData(nameof(IsCaptured), false)]
    [InlineData(nameof(HandsItOn), false)]
    [InlineData(nameof(HandsOutWhereItIs), false)]
    [InlineData(nameof(KeepsItInAField), false)]
    [InlineData(nameof(SetsItItself), false)]
    [InlineData(nameof(WaitsForAnotherToo), false)]
    [InlineData(nameof(HasItFromSomebody), false)]
    [InlineData(nameof(TakesAnother), false)]
    [InlineData(nameof(HasAName), false)]
    public void An_event_is_kept_where_nothing_is_done_with_it_but_to_wait_and_to_dispose(string method, bool isKept)
    {
        MethodInfo tried = typeof(OwnEventsTests).GetMethod(method, BindingFlags.Static | BindingFlags.NonPublic)!;
        IReadOnlyList<IlInstruction> body = IlDecoder.Decode(tried.GetMethodBody()!.GetILAsByteArray());

        Assert.Equal(isKept, OwnEvents.IsAwaitedIn([.. body.Where(step => step.Code != ILOpCode.Nop)], NameOf));
    }

    private static IlMember? NameOf(int token)
        => typeof(OwnEventsTests).Module.ResolveMethod(token) is { DeclaringType: { FullName: { } type } } method
            ? new IlMember(type, method.Name, 0) : null;

    private static void WaitsAtOnce() => new ManualResetEvent(false).WaitOne();

    private static void WaitsWithoutLimit() => new AutoResetEvent(false).WaitOne(Timeout.Infinite);

    private static void KeepsAVariable()
    {
        ManualResetEvent stop = new(false);
        Console.WriteLine("serving");
        stop.WaitOne();
    }

    private static void Disposes()
    {
        using ManualResetEvent stop = new(false);
        stop.WaitOne();
    }

    private static void WaitsForASlimOne() => new ManualResetEventSlim().Wait();

    private static void IsCaptured()
    {
        ManualResetEvent done = new(false);
        ThreadPool.QueueUserWorkItem(_ => done.Set());
        done.WaitOne();
    }

    private static void HandsItOn()
    {
        ManualResetEvent done = new(false);
        ThreadPool.QueueUserWorkItem(Set, done);
        done.WaitOne();
    }

    private static void HandsOutWhereItIs()
    {
        ManualResetEvent done = new(false);
        Replace(ref done);
        done.WaitOne();
    }

    private static void KeepsItInAField()
    {
        s_shared = new ManualResetEvent(false);
        s_shared.WaitOne();
    }

    private static void SetsItItself()
    {
        ManualResetEvent done = new(false);
        done.Set();
        done.WaitOne();
    }

    private static void WaitsForAnotherToo()
    {
        new ManualResetEvent(false).WaitOne();
        s_shared!.WaitOne();
    }

    private static void HasItFromSomebody() => Made().WaitOne();

    private static void TakesAnother()
    {
        ManualResetEvent done = new(false);
        if (Environment.HasShutdownStarted)
        {
            done = Made();
        }

        done.WaitOne();
    }

    private static void HasAName() => new EventWaitHandle(false, EventResetMode.ManualReset, "stop").WaitOne();

    private static void Set(object? done) => ((ManualResetEvent)done!).Set();

    private static void Replace(ref ManualResetEvent done) => done = Made();

    private static ManualResetEvent Made() => new(false);
}
