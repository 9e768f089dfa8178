import { rawForQuarantine } from '../clean-text.ts'
import { FieldError } from '../feed-field.ts'
import { FeedFormatError, type FeedItem, type FeedSource } from '../feed-source.ts'
import { isObject, readJsonFile } from '../json-document.ts'
import { readRelease } from './ocds-release.ts'

/** An OCDS 1.1 release package (or record package, of which the compiled releases are read). One release is one row. */
export function ocdsSource(path: string): FeedSource {
  return {
    name: 'ocds',
    async *records(resumeAfterLine) {
      const releases = releasesOf(await readJsonFile(path))
      for (const [index, release] of releases.entries())
        if (index + 1 > resumeAfterLine) yield readItem(release, index + 1)
    },
  }
}

/** @throws FeedFormatError when the document is no package or of another major version. */
export function releasesOf(document: unknown): readonly unknown[] {
  if (!isObject(document)) throw new FeedFormatError('JSON ไม่ใช่ OCDS: ไม่ใช่ออบเจ็กต์')
  const version = typeof document.version === 'string' ? document.version : '1.0'
  if (!/^1\.\d/.test(version)) throw new FeedFormatError(`ไม่รองรับ OCDS รุ่น ${version} รองรับ 1.x`)
  if (Array.isArray(document.releases)) return document.releases
  if (Array.isArray(document.records))
    return document.records.map((record) => (isObject(record) ? (record.compiledRelease ?? record) : record))
  throw new FeedFormatError('JSON ไม่ใช่ชุดข้อมูล OCDS: ไม่มี releases หรือ records')
}

function readItem(release: unknown, line: number): FeedItem {
  const reject = (reason: string): FeedItem => ({
    line,
    rejected: { reason, raw: rawForQuarantine(JSON.stringify(release)) },
  })
  if (!isObject(release)) return reject('release ไม่ใช่ออบเจ็กต์')
  try {
    return { line, ...readRelease(release) }
  } catch (error) {
    if (error instanceof FieldError) return reject(error.message)
    throw error
  }
}
