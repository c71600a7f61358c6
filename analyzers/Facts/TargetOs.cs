namespace HangTriage.Facts;

public enum TargetOs
{
    Windows,
    Linux,
}
