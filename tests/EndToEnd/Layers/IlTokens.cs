using System.Buffers.Binary;
using System.Reflection;
using System.Reflection.Emit;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;

namespace HangTriage.Tests.EndToEnd.Layers;

/// <summary>Finds the metadata tokens in the instructions of a method.</summary>
internal static class IlTokens
{
    private const int LongForm = 0xFE;

    private static readonly Dictionary<int, OperandType> s_operands = typeof(OpCodes)
        .GetFields(BindingFlags.Public | BindingFlags.Static)
        .Select(field => (OpCode)field.GetValue(null)!)
        .ToDictionary(code => (int)(ushort)code.Value, code => code.OperandType);

    public static IReadOnlyList<EntityHandle> Of(byte[] il)
    {
        List<EntityHandle> tokens = [];
        for (int at = 0; at < il.Length;)
        {
            int code = il[at] == LongForm ? (il[at] << 8) | il[at + 1] : il[at];
            at += il[at] == LongForm ? 2 : 1;
            OperandType operand = s_operands[code];
            if (operand is OperandType.InlineField or OperandType.InlineMethod or OperandType.InlineSig or OperandType.InlineTok or OperandType.InlineType)
            {
                tokens.Add(MetadataTokens.EntityHandle(Number(il, at)));
            }

            at += operand == OperandType.InlineSwitch ? 4 + (4 * Number(il, at)) : Size(operand);
        }

        return tokens;
    }

    private static int Number(byte[] il, int at) => BinaryPrimitives.ReadInt32LittleEndian(il.AsSpan(at));

    private static int Size(OperandType operand) => operand switch
    {
        OperandType.InlineNone => 0,
        OperandType.ShortInlineBrTarget or OperandType.ShortInlineI or OperandType.ShortInlineVar => 1,
        OperandType.InlineVar => 2,
        OperandType.InlineI8 or OperandType.InlineR => 8,
        _ => 4,
    };
}
