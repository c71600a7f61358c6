using System.Reflection;
using HangTriage.Capture.Managed.Code;

namespace HangTriage.Tests.Capture.Managed.Code;

/// <summary>Virtual methods of a program, and whether code that is not the program's may call them.</summary>
public sealed class VirtualMethodsTests
{
    private const MethodAttributes Override = MethodAttributes.Virtual;
    private const MethodAttributes New = MethodAttributes.Virtual | MethodAttributes.NewSlot;

    [Theory]
    [InlineData(Override, null, true)]
    [InlineData(New, null, false)]
    [InlineData(New | MethodAttributes.Final, null, true)]
    [InlineData(New, "System.IDisposable", true)]
    [InlineData(MethodAttributes.Public, null, false)]
    public void What_overrides_or_implements_a_method_of_others_may_be_called_by_them(
        MethodAttributes attributes, string? parent, bool isForeign)
    {
        VirtualMethods methods = new();
        Add(methods, "Shop.Order", attributes, new TypeParents("System.Object", parent is null ? [] : [parent]));

        Assert.Equal(isForeign, methods.IsForeign("Shop.Order.Handle"));
    }

    // A hundred types derive from each other, as do the endpoints of a web framework that differ in the number of their arguments alone.
    [Theory]
    [InlineData(New, false)]
    [InlineData(New | MethodAttributes.Final, true)]
    public void Types_that_are_among_their_own_parents_are_asked_once_each(MethodAttributes attributes, bool isForeign)
    {
        string[] types = [.. Enumerable.Range(0, 100).Select(number => $"Shop.Endpoint{number}")];
        VirtualMethods methods = new();
        foreach (string type in types)
        {
            Add(methods, type, attributes, new TypeParents(type, types));
        }

        Assert.All(types, type => Assert.Equal(isForeign, methods.IsForeign($"{type}.Handle")));
    }

    private static void Add(VirtualMethods methods, string type, MethodAttributes attributes, TypeParents parents)
        => methods.Add(new IlMember(type, "Handle", 0), attributes, () => parents);
}
