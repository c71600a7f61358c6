using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed;

/// <summary>
/// Reads the names that the program gave its threads. ClrMD does not lead from a thread to its managed Thread object, but
/// the runtime keeps a handle to each, so its handle table is read and no heap is walked.
/// </summary>
internal static class ThreadNames
{
    private const string What = "thread name";
    private const int HandleLimit = 1_000_000;

    // The names of the field in .NET, then in .NET Framework.
    private static readonly string[] s_nameFields = ["_name", "m_Name"];

    public static Func<ClrThread, Known<string>> Reader(ClrRuntime runtime, HeapProbe heap, CaptureContext context, List<Gap> gaps)
    {
        if ((heap.Missing ?? heap.TypesMissing) is { } missing)
        {
            return _ => Known.Unknown<string>(What, missing);
        }

        Dictionary<ulong, Known<string>> names = [];
        int seen = 0;
        try
        {
            foreach (RuntimeHandle handle in HandleTables.Read(runtime))
            {
                if (++seen > HandleLimit)
                {
                    gaps.Add(new Gap(What, $"the runtime has more than {HandleLimit} handles; names behind them are not read"));
                    break;
                }

                if (seen % 4_096 == 0)
                {
                    context.Step();
                }

                if (handle.Object is { IsNull: false, Type.Name: ThreadObjects.TypeName } thread
                    && ThreadObjects.NativeThread(thread) is ulong native and not 0)
                {
                    names[native] = Name(thread, context.Limits.NameLength);
                }
            }
        }
        catch (Exception e) when (e is not (OperationCanceledException or OutOfMemoryException))
        {
            gaps.Add(Attempt.Failed(What, e));
        }

        // A thread that no managed code has asked for has no Thread object, so nothing can have named it. But a runtime
        // without a single handle was not read: it makes some for itself.
        return seen == 0
            ? _ => Known.Unknown<string>(What, "the runtime's handle table reads as empty: its memory is not in the input")
            : thread => names.TryGetValue(thread.Address, out Known<string>? name) ? name : Known.Derived(string.Empty);
    }

    private static Known<string> Name(ClrObject thread, int maxLength)
    {
        foreach (string field in s_nameFields)
        {
            if (thread.Type?.GetFieldByName(field) is not null)
            {
                ClrObject name = thread.ReadObjectField(field);
                return name.IsNull ? Known.Read(string.Empty)
                    : name.AsString(maxLength) is { } text ? Known.Read(text)
                    : Known.Unknown<string>(What, $"the string at 0x{name.Address:x} is not in the input");
            }
        }

        return Known.Unknown<string>(What, "Thread has no field of a known name that holds it");
    }
}
