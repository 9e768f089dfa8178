import { toQuarantinedText } from '#server/catalogue/feed/clean-text.ts'
import { type FeedCell, FeedFieldError } from '#server/catalogue/feed/feed-field.ts'
import { FeedFormatError, type FeedRow, type FeedSource } from '#server/catalogue/feed/feed-source.ts'
import { isJsonObject, readJsonFile } from '#server/catalogue/feed/file/json-file.ts'
import { detectCgdRowAlignment, isCgdHeader, parseCgdHeader, toCgdCellsByField } from './cgd-columns.ts'
import type { CgdCells, CgdContractCells } from './parse-cgd-project.ts'
import { parseCgdProject } from './parse-cgd-project.ts'

/**
 * Reads a saved CGD API response (`/govspending/cgdcontract`). Each element of `result` is a project with its
 * contracts.
 */
export function createCgdJsonSource(path: string): FeedSource {
  return {
    name: 'cgd-json',
    async *records(resumeAfterLine) {
      const projects = extractCgdProjects(await readJsonFile(path))
      if (projects.length === 0) throw new FeedFormatError('คำตอบของ CGD API ไม่มีโครงการสักรายการ ตรวจไฟล์แล้วดาวน์โหลดใหม่')
      for (const [index, project] of projects.entries())
        if (index + 1 > resumeAfterLine) yield readItem(project, index + 1)
    },
  }
}

export function createCgdPagesSource(paths: readonly string[]): FeedSource {
  return {
    name: 'cgd-json',
    async *records(resumeAfterLine) {
      let line = 0
      for (const path of paths)
        for (const project of extractCgdProjects(await readJsonFile(path))) {
          line += 1
          if (line > resumeAfterLine) yield readItem(project, line)
        }
    },
  }
}

export function extractCgdProjects(response: unknown): readonly unknown[] {
  if (Array.isArray(response)) return response
  if (!isJsonObject(response)) throw new FeedFormatError('JSON ไม่ใช่คำตอบของ CGD API: ไม่ใช่ออบเจ็กต์')
  const code = Number(response.code ?? 200)
  if (response.status === false || response.success === false || code >= 400) {
    const texts = [response.msg, response.message, response.error]
    const message = texts.find((text): text is string => typeof text === 'string') ?? ''
    throw new FeedFormatError(`CGD API ตอบว่าผิดพลาด (code ${String(response.code)}) ${message}`.trim())
  }
  // The API version of 2026 names the list `data`.
  const body = response.result ?? response.data ?? response
  const list = isJsonObject(body) ? readCkanTable(body) : body
  if (!Array.isArray(list)) throw new FeedFormatError('JSON ไม่ใช่คำตอบของ CGD API: ไม่มีรายการ result หรือ data')
  return list
}

/** Reads the rows of a CKAN table: objects in answers of `datastore_search`, lists of cells in its dump. */
function readCkanTable({ records, fields }: Record<string, unknown>): unknown {
  if (!Array.isArray(records) || !Array.isArray(fields)) return records
  const names = fields.map((field) => (isJsonObject(field) ? String(field.id) : String(field)))
  return records.map((record: unknown) =>
    Array.isArray(record) ? Object.fromEntries(names.map((name, at) => [name, record[at] as unknown])) : record,
  )
}

function readItem(project: unknown, line: number): FeedRow {
  const reject = (reason: string): FeedRow => ({
    line,
    rejected: { reason, raw: toQuarantinedText(JSON.stringify(project)) },
  })
  if (!isJsonObject(project)) return reject('รายการไม่ใช่ออบเจ็กต์')
  if (isCgdHeader(Object.keys(project)) && (!('project_id' in project) || 'winner_tin' in project))
    return readFlatRow(project, line, reject)
  const contracts = project.contract ?? []
  if (!Array.isArray(contracts) || !contracts.every(isJsonObject)) return reject('contract ไม่ใช่รายการของสัญญา')
  const location = isJsonObject(project.project_location) ? project.project_location : {}
  const cells: CgdCells = { ...scalars(project), lat: scalar(location.lat), lon: scalar(location.lon) }
  const contractCells = contracts.map((contract): CgdContractCells => {
    const fields = scalars(contract)
    return { ...fields, contract_price_agree: fields.price_agree, contract_status: fields.status }
  })
  try {
    return { line, record: parseCgdProject(cells, contractCells) }
  } catch (error) {
    if (error instanceof FeedFieldError) return reject(error.message)
    throw error
  }
}

/**
 * Reads a row of the open table that is stored as a JSON object. It has the same shifted columns and swapped methods as
 * the CSV file.
 */
function readFlatRow(row: Record<string, unknown>, line: number, reject: (reason: string) => FeedRow): FeedRow {
  const header = Object.keys(row)
  const texts = header.map((name) => String(scalar(row[name]) ?? ''))
  try {
    const layout = parseCgdHeader(header)
    const detectedLayout = detectCgdRowAlignment(texts, layout)
    const columns =
      detectedLayout === 'straight' ? layout.straight : detectedLayout === 'shifted' ? layout.shifted : undefined
    if (columns === undefined) return reject('บอกไม่ได้ว่าคอลัมน์หลังจังหวัดเลื่อนไปสามช่องหรือไม่')
    const cells = toCgdCellsByField(texts, columns)
    return { line, record: parseCgdProject(cells, [cells]) }
  } catch (error) {
    if (error instanceof FeedFieldError || error instanceof FeedFormatError) return reject(error.message)
    throw error
  }
}

const scalar = (value: unknown): FeedCell =>
  typeof value === 'string' || typeof value === 'number' ? value : undefined

function scalars(value: Record<string, unknown>): Record<string, FeedCell> {
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, scalar(field)]))
}
