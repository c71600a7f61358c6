using System.Diagnostics;
using HangTriage.Facts;

namespace HangTriage.DbgEng;

/// <summary>The facts of a session at one instant.</summary>
/// <param name="Snapshot">The facts.</param>
/// <param name="Took">How long it took to read them.</param>
/// <param name="ReadAt">When they were read, as a time stamp of <see cref="Stopwatch"/>.</param>
internal sealed record SessionFacts(ProcessSnapshot Snapshot, TimeSpan Took, long ReadAt)
{
    private static SessionState? s_state;
    private static SessionFacts? s_facts;

    public TimeSpan Age => Stopwatch.GetElapsedTime(ReadAt);

    /// <summary>The facts that were read in the same state; null where there are none.</summary>
    public static SessionFacts? Find(SessionState state) => state == s_state ? s_facts : null;

    /// <param name="state">The state behind the reading, which may itself have made the debugger load symbols.</param>
    public void Keep(SessionState state) => (s_state, s_facts) = (state, this);
}
