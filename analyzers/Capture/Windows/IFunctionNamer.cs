namespace HangTriage.Capture.Windows;

/// <summary>Names functions by symbols that a source brings with it.</summary>
public interface IFunctionNamer
{
    /// <summary>Names the function that holds an address. Exports, which leave the nearest function below in doubt, do not count.</summary>
    /// <param name="address">In the target.</param>
    /// <param name="name">The function's, without its module.</param>
    /// <param name="start">Where it starts; at or below the address.</param>
    bool TryName(ulong address, out string name, out ulong start);
}
