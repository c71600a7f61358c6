namespace HangTriage.Tests.Support.Synthetic.Scenarios;

/// <summary>What a thread that waits for a critical section leaves behind.</summary>
[Flags]
public enum WaitTraces
{
    None = 0,

    /// <summary>The section in a register that RtlEnterCriticalSection has saved before it used it.</summary>
    Register = 1,

    /// <summary>The section in a local variable of a function that it called.</summary>
    StackWord = 2,

    /// <summary>A wait block on the stack, with the address of LockCount and the thread's id.</summary>
    WaitBlock = 4,

    /// <summary>That block in the table of WaitOnAddress.</summary>
    Table = 8,
    All = Register | StackWord | WaitBlock | Table,
}
