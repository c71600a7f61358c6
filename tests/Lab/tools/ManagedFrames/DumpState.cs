using System.Globalization;
using System.Text.RegularExpressions;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Tests.Lab.Tools;

/// <summary>What the threads of a dump do, and who holds its monitors: the part of a dump that a sample's state speaks of.</summary>
internal static partial class DumpState
{
    // Every wait of a sample is far above this, and a stack that was read wrongly has no end.
    private const int MostFrames = 128;

    public static void Print(string dump, TextWriter output)
    {
        using DataTarget target = DataTarget.LoadDump(dump);
        ClrInfo clr = target.ClrVersions[0];
        string library = OperatingSystem.IsWindows() ? "mscordaccore.dll" : "libmscordaccore.so";

        // A core states no version; the library lies beside the runtime that the process had loaded.
        using ClrRuntime runtime = clr.CreateRuntime(Path.Combine(Path.GetDirectoryName(clr.ModuleInfo.FileName)!, library), ignoreMismatch: true);
        Print(output, "dump", dump, runtime.Heap.CanWalkHeap ? "heap" : "collecting");
        Dictionary<ulong, string> names = NamesIn(runtime);

        // The two that the runtime begins with have the first two numbers, in one order or the other.
        int main = runtime.Threads.Any(thread => thread is { IsFinalizer: true, ManagedThreadId: 1 }) ? 2 : 1;
        foreach (ClrThread thread in runtime.Threads.Where(thread => thread.IsAlive))
        {
            string role = thread.IsFinalizer ? "finalizer" : thread.ManagedThreadId == main ? "main" : "-";
            Print(output, "thread", Hex(thread.OSThreadId), role, names.GetValueOrDefault(thread.Address, string.Empty));
            foreach (ClrStackFrame frame in thread.EnumerateStackTrace(includeContext: false, MostFrames))
            {
                Print(
                    output, "frame", frame.Method?.Signature is { } signature ? NameIn(signature) : $"[{frame.FrameName}]",
                    frame.InstructionPointer.ToString("x", CultureInfo.InvariantCulture));
            }
        }

        Dictionary<ulong, uint> ids = runtime.Threads.ToDictionary(thread => thread.Address, thread => thread.OSThreadId);
        foreach (SyncBlock block in runtime.Heap.EnumerateSyncBlocks().Where(block => block.IsMonitorHeld))
        {
            string type = runtime.Heap.GetObjectType(block.Object)?.Name ?? "?";
            Print(output, "lock", type, Hex(ids.GetValueOrDefault(block.HoldingThreadAddress)), block.WaitingThreadCount.ToString(CultureInfo.InvariantCulture));
        }

        Print(output, "end");
    }

    // The runtime's Thread leads to the object only by a handle that ClrMD does not show; the object leads to it by a field.
    private static Dictionary<ulong, string> NamesIn(ClrRuntime runtime)
    {
        Dictionary<ulong, string> names = [];
        if (!runtime.Heap.CanWalkHeap || runtime.BaseClassLibrary.GetTypeByName("System.Threading.Thread") is not { } type)
        {
            return names;
        }

        foreach (ClrObject thread in runtime.Heap.EnumerateObjects().Where(found => found.Type?.MethodTable == type.MethodTable))
        {
            if (thread.ReadStringField("_name") is { } name)
            {
                names[thread.ReadField<ulong>("_DONT_USE_InternalThread")] = name;
            }
        }

        return names;
    }

    // Neither parameters nor type arguments, which stand in brackets within brackets.
    private static string NameIn(string signature)
    {
        string name = signature.Split('(')[0];
        for (string before = string.Empty; before != name;)
        {
            (before, name) = (name, InnermostBrackets().Replace(name, string.Empty));
        }

        return name;
    }

    private static string Hex(uint id) => id.ToString("x", CultureInfo.InvariantCulture);

    private static void Print(TextWriter output, params string[] fields) => output.WriteLine(string.Join('\t', fields));

    [GeneratedRegex(@"\[[^\[\]]*\]")]
    private static partial Regex InnermostBrackets();
}
