using HangTriage.Facts;

namespace HangTriage.Rules.Context;

/// <summary>Tasks with those that they need, and those that these need, nearest first.</summary>
internal static class NeededTasks
{
    /// <returns>Each once, with what is known of it; null for one of which nothing is. As many as are asked for.</returns>
    public static IEnumerable<(Address Task, TaskFacts? Facts)> Of(RuleContext context, IEnumerable<Address> starts)
    {
        HashSet<Address> seen = [.. starts];
        Queue<Address> open = new(seen);
        while (open.TryDequeue(out Address task))
        {
            TaskFacts? facts = context.FindTask(task);
            yield return (task, facts);
            foreach (Address next in (facts?.Needs ?? []).Select(need => need.Task).OfType<Address>().Where(seen.Add))
            {
                open.Enqueue(next);
            }
        }
    }
}
