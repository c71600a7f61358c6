using HangTriage.Facts;
using HangTriage.Facts.Calls;

namespace HangTriage.Tests.Unit.Waits;

/// <summary>Everything that .NET offers to wait on. Every known call that waits, and every kind of the facts, is in one of them.</summary>
internal static class WaitPrimitives
{
    private const string All = ".NET 8, 9, 10";
    private const string Nobody = "who will end the wait: nobody owns it. What leads to the object over the heap is followed";

    public static IReadOnlyList<WaitPrimitive> List { get; } =
    [
        new("`lock`, `Monitor.Enter`", "owner, recursion, waiters, field", All, "the timeout on .NET 8: nothing records it")
        {
            Has = call => call.Type == DotNetTypes.Monitor && call.Wait == WaitKind.Acquire, Locks = [LockKind.Monitor],
        },
        new("`System.Threading.Lock`", "owner, recursion, waiters, field", ".NET 9, 10 (there is none before)", "nothing")
        {
            Has = call => call.Type == DotNetTypes.Lock, Locks = [LockKind.ManagedLock],
        },
        new("`Monitor.Wait`", "the object, and who leads to it", All, "who will pulse: no record is kept of that")
        {
            Has = call => call.Type == DotNetTypes.Monitor && call.Wait == WaitKind.Pulse,
        },
        new("`ReaderWriterLockSlim`", "writer, upgradeable thread, readers and who they are", All, "nothing")
        {
            Locks = [LockKind.ReaderWriterLock, LockKind.ReaderWriterLockUpgrade, LockKind.ReaderWriterLockReaders],
        },
        new("`SpinLock`", "owner, where owners are tracked", All, "the owner where it was made without tracking: one bit says that it is taken") { Locks = [LockKind.SpinLock] },
        new("`SemaphoreSlim`", 
            "entries left and most, waiting threads and async methods; who has entered, where that is in a part of a method behind which it gives the entry back (decision 101)",
            All, "who has entered in any other way: a semaphore keeps a count and no names")
        {
            Locks = [LockKind.SemaphoreSlim], Flows = [FlowWaitKind.Semaphore],
        },
        new("`ManualResetEventSlim`, `CountdownEvent`, `Barrier`", "the object, its counts, and who leads to it", All, Nobody) { Locks = [LockKind.ManagedEvent] },
        new("`WaitHandle`: events, `Mutex`, `Semaphore`", "the handle, the object that has it, and who leads to that", All, "whether it is set and who owns a mutex: the kernel or the runtime's native half keeps that, and only handle data of Windows shows it; other processes that share a named one")
        {
            Has = call => call.Type == DotNetTypes.WaitHandle || call.Type == "System.Threading.WaitSubsystem",
            Locks = [LockKind.Event, LockKind.Semaphore, LockKind.Mutex, LockKind.KernelObject],
        },
        new("`Thread.Join`", "the thread that is waited for", All, "nothing") { Has = call => call.Type == DotNetTypes.Thread && call.Wait == WaitKind.Exit, Locks = [LockKind.Thread] },
        new("`Thread.Sleep`, `Yield`, `SpinWait`", "whether the sleep has an end; of loops the fields that they look at, and who can change these", All, "how long is left: the kernel's timer is not in a dump; without the program's modules the loop's condition")
        {
            Has = call => call.Meaning is CallMeaning.Sleeps or CallMeaning.Yields,
        },
        new("`Task.Wait`, `Result`, `GetResult`", "the tasks, and what each needs, to the end", All, "who completes a promise that only static fields lead to while something runs: any code may")
        {
            Has = call => call.Meaning is CallMeaning.BlocksOnTask or CallMeaning.WaitsForTask or CallMeaning.EntersTaskWait,
        },
        new("`await` of a task or async method", "the method, its line, the field of the promise, who awaits it", All, "methods that have not come to their first suspension: they are on a stack or nowhere")
        {
            Flows = [FlowWaitKind.Task, FlowWaitKind.AsyncMethod, FlowWaitKind.WhenAny, FlowWaitKind.WhenAll, FlowWaitKind.Queued],
        },
        new("`await` of an own awaitable", "the type, and who leads to it", All, "what it stands for: only its library knows") { Flows = [FlowWaitKind.Custom, FlowWaitKind.Unknown] },
        new("`Channel`, `Pipe`, `BlockingCollection`", "how full, who reads and writes, the field", All, "who will write next: a writer need not be kept anywhere")
        {
            Flows = [FlowWaitKind.Channel, FlowWaitKind.Pipe],
        },
        new("`Task.Delay`, `PeriodicTimer`, `CancellationToken`", "the time that was set; whether a token ends a wait, and whether a variable of the method cancels it by a timer", All, "whether somebody will cancel")
        {
            Flows = [FlowWaitKind.Delay, FlowWaitKind.InfiniteDelay, FlowWaitKind.Timer, FlowWaitKind.CancellationOnly],
        },
        new("`Timer.Dispose`, `CancellationTokenRegistration.Dispose`, `Unregister`", "the thread that runs the callback", All + " (`Unregister`: tried on 10)", "nothing of `Timer.Dispose()` without an argument: it does not wait") { Locks = [LockKind.Callback] },
        new("`FileSystemWatcher.WaitForChanged`", "the thread that runs a handler of the same watcher", All, "which change would end it, where no handler runs: the file system keeps that"),
        new("`AssemblyLoadContext.Unload`, loops that look at a `WeakReference`", "the thread, static field or handle that keeps the object, and the way from there", All + " (a load context: tried on 10)", "what else keeps it: the search ends at the first. Async methods that wait so are not followed; without the program's modules the loop is not seen"),
        new("Static constructors, module initializers", "who runs which, who waits", All, "for which of several on one thread another waits: the innermost is named")
        {
            Has = call => call.Meaning == CallMeaning.RunsTypeInitializer, Locks = [LockKind.StaticConstructor],
        },
        new("`GC.WaitForPendingFinalizers`", "what the finalizer thread runs, how many objects are behind it", All, "which object is next: the queue has no order that is kept")
        {
            Has = call => call.Meaning == CallMeaning.WaitsForFinalizers, Locks = [LockKind.Finalizers],
        },
        new("`Environment.Exit`, the return of Main", "the handler that runs, and what it waits for", All, "nothing") { Has = call => call.Meaning == CallMeaning.WaitsForExitHandlers, Locks = [LockKind.ExitHandlers] },
        new("A garbage collection", "which thread does not come to a safe point", All, "who waits for its end: the runtime keeps no list of those") { Locks = [LockKind.Suspension] },
        new("`SynchronizationContext.Send`, `Control.Invoke`, `Dispatcher.Invoke`", "the thread that has to run the call", All, "which context, where several threads run contexts of one type and the sender's stack leads to several")
        {
            Locks = [LockKind.ContextCall],
        },
        new("Message loops", "the thread is idle in its loop", All, "whether the next message will come")
        {
            Has = call => call.Meaning == CallMeaning.RunsMessageLoop,
        },
        new("Thread pool workers without work", "that they are idle, and what is queued", All, "nothing") { Has = call => call.Meaning == CallMeaning.IdlesInPool },
        new("Sockets, pipes, files, processes, consoles", "the call, the address of the other side, the child, the limit of the client", All, "what the other side does: it is in another process")
        {
            Has = call => call.Meaning == CallMeaning.WaitsForOutside, Flows = [FlowWaitKind.InputOutput],
        },
    ];
}
