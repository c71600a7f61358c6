namespace HangTriage.DbgEng;

internal static class Usage
{
    public const string Text =
        """
        !triage [-help]
          Names the culprit of a hang: who waits for whom, and what the last one does.
          Judges the process of this session: a dump, or a process that is broken into.

          0:000> !triage

        """;
}
