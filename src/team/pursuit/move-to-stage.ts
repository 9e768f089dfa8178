import { pursuitSettingsQuery } from '#src/account/api/pursuit-settings.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { patchPursuit } from '#src/team/api/pursuit-patches.ts'

/**
 * Moves a project into the board stage at a position, from 1. Resolves to the stage's name; undefined if there is no
 * such stage or the settings fail to load.
 */
export async function moveToStage(projectId: string, place: number): Promise<string | undefined> {
  const settings = await queryClient.query({ ...pursuitSettingsQuery, staleTime: 'static' }).catch(() => undefined)
  const stage = settings?.stages[place - 1]
  if (!stage) return undefined
  const message = { failed: 'ย้ายขั้นไม่สำเร็จ', done: `ย้ายไป “${stage.name}” แล้ว` }
  void patchPursuit(projectId, [{ action: 'set_stage', stage: stage.id }], message)
  return stage.name
}

/**
 * Focuses the note field or the owner menu of the pursuit block inside the selector `within`. Returns false if it is
 * not rendered.
 */
export function enterPursuit(part: 'note' | 'owner', within: string): boolean {
  const place = part === 'note' ? '[data-note-field]' : '[data-owner-choice]'
  const found = document.querySelector<HTMLElement>(`${within} ${place}`)
  found?.scrollIntoView?.({ block: 'center' })
  found?.focus()
  if (part === 'owner') found?.click()
  return found !== null
}
