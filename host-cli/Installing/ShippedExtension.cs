namespace HangTriage.Cli.Installing;

/// <summary>The extensions that lie beside the tool.</summary>
internal static class ShippedExtension
{
    /// <summary>What copies each file of an extension, by the file's path below the extension's folder.</summary>
    /// <param name="root">The folder of the tool.</param>
    /// <param name="name">The extension's folder below "extensions".</param>
    /// <param name="needed">The file that makes it complete.</param>
    /// <param name="why">What to do where that is missing.</param>
    /// <exception cref="InputException">It is missing.</exception>
    public static Dictionary<string, Action<string>> Files(string root, string name, string needed, string why)
    {
        string folder = Path.Combine(root, "extensions", name);
        return File.Exists(Path.Combine(folder, needed))
            ? Directory.GetFiles(folder).ToDictionary(file => Path.GetFileName(file), Action<string> (file) => target => File.Copy(file, target, overwrite: true))
            : throw new InputException(Path.Combine(folder, needed), new FileNotFoundException(why));
    }
}
