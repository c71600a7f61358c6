using Microsoft.Diagnostics.Runtime;

// stacks CORE: every managed stack with its roots. heap CORE: every object of the heap, its type and size.
using DataTarget target = DataTarget.LoadDump(args[1]);
using ClrRuntime runtime = target.ClrVersions[0].CreateRuntime();
if (args[0] == "stacks")
{
    foreach (ClrThread thread in runtime.Threads)
    {
        Console.WriteLine($"thread {thread.OSThreadId:x}");
        foreach (ClrStackFrame frame in thread.EnumerateStackTrace())
        {
            Console.WriteLine($"  {frame.StackPointer:x} {frame.InstructionPointer:x} {frame}");
        }

        foreach (ClrStackRoot root in thread.EnumerateStackRoots())
        {
            Console.WriteLine($"  root {root.Address:x} {root.Object}");
        }
    }
}
else
{
    long objects = 0;
    ulong bytes = 0;
    foreach (ClrObject found in runtime.Heap.EnumerateObjects())
    {
        objects++;
        bytes += found.Size;
    }

    Console.WriteLine($"{objects} objects, {bytes} bytes");
}
