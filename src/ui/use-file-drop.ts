import { type DragEvent, useState } from 'react'

/** Drop target for files. Counts enter and leave events, because moving between children fires both. */
export function useFileDrop(isOn: boolean, onFiles: (files: File[]) => void) {
  const [depth, setDepth] = useState(0)
  const hasFiles = ({ dataTransfer }: DragEvent) => isOn && dataTransfer.types.includes('Files')
  return {
    isOver: depth > 0,
    onDragEnter: (event: DragEvent) => {
      if (hasFiles(event)) setDepth((current) => current + 1)
    },
    onDragLeave: (event: DragEvent) => {
      if (hasFiles(event)) setDepth((current) => Math.max(0, current - 1))
    },
    onDragOver: (event: DragEvent) => {
      if (hasFiles(event)) event.preventDefault()
    },
    onDrop: (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setDepth(0)
      onFiles([...event.dataTransfer.files])
    },
  }
}
