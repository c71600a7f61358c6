namespace HangTriage.Reports.Graph;

internal enum PictureNodeKind
{
    Thread,

    /// <summary>Several threads, or several async methods, that do the same.</summary>
    Crowd,

    Lock,
    Task,
    Pool,

    /// <summary>Stands for parts of a long chain that are not drawn.</summary>
    More,
}
