using HangTriage.Capture.Managed.Tasks;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Flows;

/// <summary>How long SqlClient lets an asynchronous OpenAsync wait for a connection of its pool or for the server.</summary>
/// <remarks>dotnet/SqlClient: SqlConnection.cs (OpenAsync), SqlConnectionHelper.cs, SqlConnectionString.cs; tried with 6.1.</remarks>
internal sealed class SqlOpenings(FlowBoxes boxes, ClrHeap heap)
{
    private const string Connection = ".SqlClient.SqlConnection";
    private const int MostFlows = 16;

    /// <summary>The limit of the one connection that is being opened there; null where none is seen, and where it has none.</summary>
    public TimeSpan? LimitOf(FlowBox flow)
        => boxes.Down(flow).Take(MostFlows).SelectMany(ConnectionsOf).Where(IsBeingOpened)
            .Select(connection => connection.Reference("_userConnectionOptions").Number("_connectTimeout"))
            .Where(seconds => seconds is > 0)
            .Select(seconds => (TimeSpan?)TimeSpan.FromSeconds(seconds!.Value))
            .Max();

    private IEnumerable<ClrObject> ConnectionsOf(FlowBox flow)
        => FlowVariables.Of(heap, flow).Select(variable => heap.GetObject(variable.Address))
            .Concat(ObjectFields.ReferencesOf(StateMachine.This(heap.GetObject(flow.Address))))
            .Where(found => found.Type?.Name?.EndsWith(Connection, StringComparison.Ordinal) == true);

    // Cleared when it is open, or has failed.
    private static bool IsBeingOpened(ClrObject connection) => !connection.Reference("_currentCompletion").IsNull;
}
