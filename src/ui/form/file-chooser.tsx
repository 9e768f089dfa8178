import { type ReactNode, useRef } from 'react'

type FileChooserProps = {
  label: string
  accept: string
  multiple?: boolean
  onFiles: (files: File[]) => void
  children: (open: () => void) => ReactNode
}

export function FileChooser({ label, accept, multiple = false, onFiles, children }: FileChooserProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      {children(() => input.current?.click())}
      <input
        ref={input}
        type="file"
        multiple={multiple}
        accept={accept}
        aria-label={label}
        tabIndex={-1}
        className="sr-only"
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])])
          // Reset the input, so that choosing the same file again fires a change event.
          currentTarget.value = ''
        }}
      />
    </>
  )
}
