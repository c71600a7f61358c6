namespace HangTriage.Facts.Calls;

/// <summary>What it means that a thread is in a call.</summary>
public enum CallMeaning
{
    /// <summary>The call waits for nothing: the thread works.</summary>
    ReturnsAtOnce,

    /// <summary>It gives the rest of the time slice away, or pauses the processor for a moment.</summary>
    Yields,

    Sleeps,

    /// <summary>It takes a lock and waits until it has it.</summary>
    EntersLock,

    /// <summary>It takes a lock, and waits for it only where the caller gave it time to.</summary>
    TriesLock,

    /// <summary>It waits for an object of the kernel or of a runtime: an event, a pulse, a handle, the end of a thread.</summary>
    WaitsForObject,

    /// <summary>It waits for input or output.</summary>
    WaitsForIo,

    /// <summary>It has sent a window message and waits for the answer.</summary>
    WaitsForAnswer,

    /// <summary>It waits for the next window message.</summary>
    WaitsForMessage,

    /// <summary>It waits for handles, and answers window messages meanwhile.</summary>
    WaitsAndPumps,

    /// <summary>A worker of a pool waits for its next item.</summary>
    IdlesInPool,

    /// <summary>It enters the loader of Windows.</summary>
    EntersLoader,

    /// <summary>It makes a remote procedure call: the client's side.</summary>
    CallsRpc,

    /// <summary>It makes a COM call: the client's side.</summary>
    CallsCom,

    /// <summary>It hands a window message to the window's code.</summary>
    DispatchesMessage,

    /// <summary>It blocks the thread until tasks complete.</summary>
    BlocksOnTask,

    /// <summary>It waits for the tasks that it holds: it blocks on them, or runs them on this thread.</summary>
    WaitsForTask,

    /// <summary>A program's way into such a wait.</summary>
    EntersTaskWait,

    /// <summary>It runs the code of a task.</summary>
    RunsTask,

    /// <summary>It runs the items of the thread pool.</summary>
    RunsWorkItem,

    /// <summary>It runs a static constructor, or waits until another thread has.</summary>
    RunsTypeInitializer,

    /// <summary>It waits until every finalizer that is due has run.</summary>
    WaitsForFinalizers,

    /// <summary>It ends the process, and first waits until the handlers of that have run.</summary>
    WaitsForExitHandlers,

    /// <summary>It ends the process at once, without handlers.</summary>
    FailsFast,

    /// <summary>It runs a handler of a signal of the system, such as SIGTERM or Ctrl+C.</summary>
    HandlesSignal,

    /// <summary>It is the loop of a user interface's thread.</summary>
    RunsMessageLoop,

    /// <summary>It changes a hash table.</summary>
    ChangesTable,

    /// <summary>It throws because a hash table's links led in a circle.</summary>
    ReportsConcurrentUse,

    /// <summary>It waits for another process, a server, a device or a person; <see cref="KnownCall.Outside"/> says for whom.</summary>
    WaitsForOutside,
}
