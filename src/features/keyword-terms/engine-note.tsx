/** Which engine finds the similar terms, in its own words; nothing is used that the person cannot see and untick. */
export function EngineNote({ engine }: { engine: string | undefined }) {
  return <>{engine === undefined ? 'คำใกล้เคียงจากชื่อโครงการ e-GP' : engine} ตรวจและเลือกได้ทุกคำ</>
}
