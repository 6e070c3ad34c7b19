// The part of the window where files and folders are dropped or chosen.

async function* filesOf(entry, above = '') {
  const name = `${above}${entry.name}`
  if (entry.isFile) yield { file: await new Promise((resolve, reject) => entry.file(resolve, reject)), name }
  else {
    const reader = entry.createReader()
    for (;;) {
      const entries = await new Promise((resolve, reject) => reader.readEntries(resolve, reject))
      if (entries.length === 0) return
      for (const each of entries) yield* filesOf(each, `${name}/`)
    }
  }
}

/** The helpers are those of the page. */
export function connectDrop({ byId, say, setText, ask, numbers }) {
  /** Files are copied to the uploader one after the other; the page knows no paths. */
  async function copy(files) {
    let done = 0
    let reason
    for (const { file, name } of files) {
      setText('copying', say('copying', { done: numbers.format(done), all: numbers.format(files.length) }))
      try {
        await ask(`/drop?name=${encodeURIComponent(name)}`, { method: 'PUT', body: file })
        done += 1
      } catch (error) {
        reason ??= error instanceof TypeError ? say('offline') : error.message
        // Nobody is there to take the others. Of a full disk, a smaller file may find room.
        if (error instanceof TypeError) break
      }
    }
    const count = numbers.format(files.length - done)
    byId('copying').classList.toggle('problem', reason !== undefined)
    setText(
      'copying',
      reason === undefined
        ? say('copied', { all: numbers.format(done) })
        : say('notCopied', { done: numbers.format(done), count, reason: `\u2068${reason}\u2069` }),
    )
  }
  // Dropped elsewhere, a file would be opened in place of the page.
  for (const type of ['dragover', 'drop']) addEventListener(type, (event) => event.preventDefault())
  const place = byId('drop')
  place.addEventListener('dragover', () => place.classList.add('over'))
  place.addEventListener('dragleave', () => place.classList.remove('over'))
  place.addEventListener('drop', async (event) => {
    place.classList.remove('over')
    const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry()).filter(Boolean)
    const files = []
    for (const entry of entries) for await (const file of filesOf(entry)) files.push(file)
    await copy(files)
  })
  for (const [button, input] of [
    ['choose', 'files'],
    ['choose-folder', 'folder'],
  ]) {
    byId(button).addEventListener('click', () => byId(input).click())
    byId(input).addEventListener('change', async ({ target }) => {
      await copy([...target.files].map((file) => ({ file, name: file.webkitRelativePath || file.name })))
      target.value = ''
    })
  }
}
