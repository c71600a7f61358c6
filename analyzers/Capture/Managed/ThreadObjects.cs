using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed;

/// <summary>Leads from a managed Thread object to the runtime's own Thread.</summary>
internal static class ThreadObjects
{
    public const string TypeName = "System.Threading.Thread";

    // The names of the field in .NET, then in .NET Framework.
    private static readonly string[] s_nativeThreadFields = ["_DONT_USE_InternalThread", "DONT_USE_InternalThread"];

    /// <summary>The address of the runtime's Thread, as <see cref="ClrThread.Address"/> gives it; null where it cannot be read.</summary>
    public static ulong? NativeThread(ClrObject thread)
    {
        foreach (string field in s_nativeThreadFields)
        {
            if (thread.Type?.GetFieldByName(field) is ClrInstanceField found)
            {
                ulong address = found.GetAddress(thread.Address);
                return thread.Type.Heap.Runtime.DataTarget.DataReader.ReadPointer(address, out ulong value) ? value : null;
            }
        }

        return null;
    }
}
