namespace HangTriage.Tests.EndToEnd.Layers;

/// <summary>A type of one folder that uses a type of another folder of the same project.</summary>
internal sealed record FolderUse(string From, string FromType, string To, string ToType)
{
    public override string ToString() => $"{From}: {FromType} uses {ToType} of {To}";
}
