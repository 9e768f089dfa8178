import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { type Entry, fromFdPromise } from 'yauzl'
import {
  type BundleUnpackResult,
  MAX_DOCUMENT_BYTES,
  type UnreadableDocumentReason,
} from '#contract/documents/document.ts'
import { decodeZipEntryName, getBundleFileRole, getZipEntryDisplayName, isUnsafeZipEntryName } from './entry-name.ts'

// Separate process (confined-process.ts): bundle from stdin, members to its folder, result as last line of stdout.

const MAX_ENTRIES = 200
const MAX_TOTAL_BYTES = 200 * 2 ** 20
/**
 * Real documents compress tenfold at most, whereas a 390 kB bomb that expands to 400 MB reaches 1,025. Small repetitive
 * texts are exempt.
 */
const MAX_COMPRESSION_RATIO = 200
const RATIO_EXEMPT_BYTES = 2 ** 20

type Member = BundleUnpackResult['members'][number]

const refuse = (reason: UnreadableDocumentReason): BundleUnpackResult => ({
  outcome: 'unreadable',
  reason,
  members: [],
})

function findRejection(entries: readonly Entry[]): UnreadableDocumentReason | undefined {
  if (entries.length === 0) return 'empty'
  const names = entries.map((entry) => decodeZipEntryName(entry.fileNameRaw, entry.generalPurposeBitFlag))
  if (names.some(isUnsafeZipEntryName)) return 'unsafe-name'
  const isBomb = ({ uncompressedSize, compressedSize }: Entry) =>
    uncompressedSize > RATIO_EXEMPT_BYTES && uncompressedSize > compressedSize * MAX_COMPRESSION_RATIO
  if (entries.some(isBomb)) return 'too-compressed'
  if (entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0) > MAX_TOTAL_BYTES) return 'too-large'
  return entries.some((entry) => entry.isEncrypted()) ? 'encrypted' : undefined
}

async function unpack(): Promise<BundleUnpackResult> {
  const members: Member[] = []
  try {
    // Decode names ourselves: yauzl supports two Western encodings. It aborts on entries longer than declared.
    const bundle = await fromFdPromise(0, { lazyEntries: true, autoClose: false, decodeStrings: false })
    if (bundle.entryCount > MAX_ENTRIES) return refuse('too-many-entries')
    const entries: Entry[] = []
    for await (const entry of bundle.eachEntry()) {
      entries.push(entry)
      if (entries.length > MAX_ENTRIES) return refuse('too-many-entries')
    }
    const refused = findRejection(entries)
    if (refused) return refuse(refused)
    let unpacked = 0
    for (const entry of entries) {
      const path = decodeZipEntryName(entry.fileNameRaw, entry.generalPurposeBitFlag)
      const member: Member = {
        name: getZipEntryDisplayName(path),
        role: getBundleFileRole(path),
        size: entry.uncompressedSize,
      }
      if (!path.endsWith('/')) members.push(member)
      const isRead = /\.pdf$/i.test(path) && member.role !== 'template' && member.size <= MAX_DOCUMENT_BYTES
      if (!isRead || !entry.canDecodeFileData()) continue
      const file = `${unpacked}.pdf`
      unpacked += 1
      await pipeline(await bundle.openReadStreamPromise(entry), createWriteStream(file, { flags: 'wx' }))
      member.file = file
    }
    return { outcome: 'read', members }
  } catch {
    return refuse('broken')
  }
}

process.stdout.write(`${JSON.stringify(await unpack())}\n`)
