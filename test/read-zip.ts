import { crc32, inflateRawSync } from 'node:zlib'

/**
 * Returns the text files of a zip archive by path, as listed in its central directory. Throws on a wrong checksum or
 * size.
 */
export function readZip(file: Buffer): Map<string, string> {
  const end = file.length - 22
  if (file.readUInt32LE(end) !== 0x06054b50) throw new Error('no end of a zip archive')
  const entries = new Map<string, string>()
  let at = file.readUInt32LE(end + 16)
  for (let n = file.readUInt16LE(end + 10); n > 0; n -= 1) {
    if (file.readUInt32LE(at) !== 0x02014b50) throw new Error('no entry of the directory')
    const [crc, packed, size] = [16, 20, 24].map((offset) => file.readUInt32LE(at + offset)) as [number, number, number]
    const nameLength = file.readUInt16LE(at + 28)
    const local = file.readUInt32LE(at + 42)
    const path = file.toString('utf8', at + 46, at + 46 + nameLength)
    const start = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28)
    const bytes = inflateRawSync(file.subarray(start, start + packed))
    if (bytes.length !== size || crc32(bytes) !== crc) throw new Error(`${path} is damaged`)
    entries.set(path, bytes.toString('utf8'))
    at += 46 + nameLength + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32)
  }
  return entries
}
