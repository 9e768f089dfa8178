import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipEntry {
  readonly name: string | Buffer
  readonly content: Buffer | string
  readonly claimedSize?: number
  /** 1: encrypted, 0x800: the name is UTF-8. */
  readonly flags?: number
  readonly packed?: Buffer
}

export function buildTestZip(entries: readonly ZipEntry[]): Buffer {
  const pieces: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const { name, content, claimedSize, flags = 0, packed } of entries) {
    const bytes = Buffer.from(content)
    const data = packed ?? deflateRawSync(bytes)
    const rawName = Buffer.from(name)
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(flags, 2)
    fields.writeUInt16LE(8, 4)
    fields.writeUInt32LE(crc32(bytes), 10)
    fields.writeUInt32LE(data.length, 14)
    fields.writeUInt32LE(claimedSize ?? bytes.length, 18)
    fields.writeUInt16LE(rawName.length, 22)
    const entryTail = Buffer.alloc(14)
    entryTail.writeUInt32LE(at, 10)
    directory.push(Buffer.from('PK\u0001\u0002\u0014\u0000', 'latin1'), fields, entryTail, rawName)
    const local = [Buffer.from('PK\u0003\u0004', 'latin1'), fields, rawName, data]
    pieces.push(...local)
    at += local.reduce((sum, { length }) => sum + length, 0)
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\u0005\u0006', 'latin1')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...pieces, listed, end])
}
