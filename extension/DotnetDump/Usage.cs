namespace HangTriage.DotnetDump;

internal static class Usage
{
    public const string Text =
        """
        Judges the dump or process of this session and prints one verdict: the culprit, the chain of waits that
        leads to it, the evidence and how each piece is known, and what could not be seen.

          {prompt}triage
          {prompt}triage -v
          {prompt}triage --hung
          {prompt}triage --trace slow.txt
          {prompt}triage --json verdict.json --markdown incident.md
          {prompt}triage --timeout 600

        In lldb, 'sos triage' works from the start, and 'triage' after any other command of SOS. In WinDbg it is
        '!sos triage'; the extension of our own for WinDbg sees more ('triage install windbg').
        The verdict on a dump file is that of 'triage analyze' on it. Details: 'triage explain HTnnnn' outside.

        """;
}
