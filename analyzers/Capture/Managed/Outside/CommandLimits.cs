using HangTriage.Capture.Managed.Tasks;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Outside;

/// <summary>
/// How long a command of Microsoft.Data.Sqlite tries again while another connection has the database: the seconds of its CommandTimeout,
/// without end for 0 (Microsoft.Data.Sqlite 10.0: SqliteDataReader.NextResult).
/// </summary>
internal static class CommandLimits
{
    public const string Library = "Microsoft.Data.Sqlite.";

    private const string Command = Library + "SqliteCommand";
    private const string Reader = Library + "SqliteDataReader";
    private const int MostObjects = 4_096;

    /// <summary>Null where the objects hold no such command, several with different limits, or one that has its connection's.</summary>
    public static TimeSpan? Of(IEnumerable<ClrObject> objects)
    {
        int?[] seconds = [.. Commands(objects).Select(SecondsOf).Distinct()];
        return seconds is [>= 0 and { } only] ? only == 0 ? Timeout.InfiniteTimeSpan : TimeSpan.FromSeconds(only) : null;
    }

    /// <summary>The connection of the command that runs; null where the objects hold none, or several with different ones.</summary>
    public static ClrObject ConnectionOf(IEnumerable<ClrObject> objects)
    {
        ClrObject[] connections =
        [
            .. Commands(objects).Select(command => command.Reference("_connection"))
                .Where(found => !found.IsNull)
                .DistinctBy(found => found.Address),
        ];
        return connections is [var only] ? only : default;
    }

    // Those that a reader on the stack belongs to; else all.
    private static ClrObject[] Commands(IEnumerable<ClrObject> objects)
    {
        ClrObject[] known = [.. objects.Take(MostObjects).Where(found => found.Type?.Name is Command or Reader)];
        ClrObject[] running = [.. known.Where(found => found.Type!.Name == Reader).Select(reader => reader.Reference("_command")).Where(command => !command.IsNull)];
        return running.Length > 0 ? running : known;
    }

    // A Nullable<int>: without a value the connection's counts.
    private static int? SecondsOf(ClrObject command)
    {
        if (command.Type?.GetFieldByName("_commandTimeout") is not { Type: { } type } field || type.GetFieldByName("value") is not { } value || type.GetFieldByName("hasValue") is not { } has)
        {
            return null;
        }

        ulong address = field.GetAddress(command.Address);
        return has.Read<bool>(address, interior: true) ? value.Read<int>(address, interior: true) : null;
    }
}
