import { useState } from 'react'
import { PANEL_SECTIONS } from './panel-sections.ts'

const KEY = 'tamngan.report.sections'

function stored(): ReadonlySet<string> {
  try {
    const open: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null')
    if (Array.isArray(open)) return new Set(open.filter((id) => typeof id === 'string'))
  } catch {
    // Storage may be blocked or hold something else; the defaults are used then.
  }
  return new Set(PANEL_SECTIONS.filter(({ open }) => open).map(({ id }) => id))
}

/** Which sections of the panel are open, remembered on this device. */
export function useOpenSections(): [ReadonlySet<string>, (id: string, open: boolean) => void] {
  const [sections, setSections] = useState(stored)
  const setOpen = (id: string, open: boolean) => {
    const next = new Set(sections)
    if (open) next.add(id)
    else next.delete(id)
    setSections(next)
    try {
      localStorage.setItem(KEY, JSON.stringify([...next]))
    } catch {
      // Not remembered then; nothing else depends on it.
    }
  }
  return [sections, setOpen]
}
