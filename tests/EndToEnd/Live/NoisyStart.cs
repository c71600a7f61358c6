namespace HangTriage.Tests.EndToEnd.Live;

/// <summary>
/// A command in a shell that says something each second until a file is there. Silence counts from then on, however long the
/// command takes on a busy machine to come to where it hangs.
/// </summary>
internal static class NoisyStart
{
    // More than a sign of life. A quarter of an hour without the file, and the command is on its own.
    private const string Script =
        """
        "$@" &
        child=$!
        trap 'kill -TERM $child' TERM
        beats=0
        until [ -e "$0" ] || [ $beats -ge 900 ]; do
            echo 'the command has not come to where it hangs, and this line, which is long, breaks the silence'
            beats=$((beats + 1))
            sleep 1
        done
        wait $child
        code=$?
        while kill -0 $child 2>/dev/null; do
            wait $child
            code=$?
        done
        exit $code
        """;

    /// <param name="mark">The file that ends the noise.</param>
    /// <param name="command">The command, which goes on behind it.</param>
    public static string[] Of(string mark, params string[] command) => ["sh", "-c", Script, mark, .. command];
}
