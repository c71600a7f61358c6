using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;
using HangTriage.Capture.Managed.Code;

namespace HangTriage.Tests.Capture.Managed.Code;

/// <summary>The handlers of every method of real libraries, against System.Reflection.Metadata.</summary>
public sealed class IlHandlersTests
{
    private const int SectionLimit = 4096;

    [Fact]
    public void The_handlers_of_every_method_are_those_of_the_metadata_reader()
    {
        int compared = 0;
        foreach (string library in new[] { typeof(IlHandlersTests).Assembly.Location, typeof(Microsoft.Diagnostics.Runtime.DataTarget).Assembly.Location, typeof(object).Assembly.Location })
        {
            using FileStream file = File.OpenRead(library);
            using PEReader reader = new(file);
            MetadataReader metadata = reader.GetMetadataReader();
            foreach (MethodDefinitionHandle handle in metadata.MethodDefinitions)
            {
                int place = metadata.GetMethodDefinition(handle).RelativeVirtualAddress;
                if (place == 0)
                {
                    continue;
                }

                MethodBodyBlock body = reader.GetMethodBody(place);
                if (body.ExceptionRegions.Length == 0)
                {
                    continue;
                }

                int section = (body.GetILReader().Length + 12 + 3) & ~3;
                BlobReader bytes = reader.GetSectionData(place).GetReader();
                bytes.Offset = section;
                byte[] behind = bytes.ReadBytes(Math.Min(SectionLimit, bytes.RemainingBytes));
                IlClause[] expected =
                [
                    .. body.ExceptionRegions.Select(region => new IlClause(
                        region.TryOffset, region.TryOffset + region.TryLength,
                        region.HandlerOffset, region.HandlerOffset + region.HandlerLength)
                    {
                        IsFinally = region.Kind == ExceptionRegionKind.Finally,
                        Catches = region.Kind is ExceptionRegionKind.Catch or ExceptionRegionKind.Filter,
                    }),
                ];
                Assert.True(expected.SequenceEqual(IlHandlers.Read(behind)), $"{library}, method {MetadataTokens.GetToken(handle):x}");
                compared += expected.Length;
            }
        }

        Assert.InRange(compared, 500, int.MaxValue);
    }

    [Fact]
    public void Bytes_of_any_kind_are_read_to_their_end_and_no_further()
    {
        Random random = new(42);
        for (int round = 0; round < 100_000; round++)
        {
            byte[] bytes = new byte[random.Next(64)];
            random.NextBytes(bytes);
            Assert.InRange(IlHandlers.Read(bytes).Count, 0, bytes.Length / 12);
        }
    }
}
