using System.Globalization;

namespace HangTriage.Reports.Summary;

/// <summary>The parts of a report as they are read.</summary>
internal sealed class DigestFields
{
    public const string SignaturePath = "/verdict/signature";

    private const string KindPath = "/verdict/kind";
    private const string TitlePath = "/verdict/title";
    private const string RulePath = "/verdict/rule";
    private const string ConfidencePath = "/verdict/confidence";
    private const string CapturedPath = "/target/capturedAt";
    private const string ProcessPath = "/target/process";
    private const string ToolPath = "/tool/version";

    private static readonly HashSet<string> s_paths = [SignaturePath, KindPath, TitlePath, RulePath, ConfidencePath, CapturedPath, ProcessPath, ToolPath];

    private readonly Dictionary<string, string> _texts = [];

    public int Schema { get; set; }

    public List<string> Frames { get; } = [];

    public List<string> Runtimes { get; } = [];

    public string? Signature => _texts.GetValueOrDefault(SignaturePath);

    public string? Kind => _texts.GetValueOrDefault(KindPath);

    public static bool Has(string path) => s_paths.Contains(path);

    public void Set(string path, string text) => _texts[path] = text;

    public ReportDigest ToDigest() => new()
    {
        Signature = Signature!,
        Kind = Kind!,
        Title = _texts.GetValueOrDefault(TitlePath, string.Empty),
        Frames = Frames,
        Rule = _texts.GetValueOrDefault(RulePath),
        Confidence = _texts.GetValueOrDefault(ConfidencePath),
        CapturedAt = _texts.TryGetValue(CapturedPath, out string? time) && DateTimeOffset.TryParse(time, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out DateTimeOffset instant) ? instant : null,
        Process = _texts.GetValueOrDefault(ProcessPath),
        Tool = _texts.GetValueOrDefault(ToolPath),
        Runtimes = Runtimes,
    };
}
