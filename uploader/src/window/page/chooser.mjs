// The dialog in which a folder to watch is chosen, or its path written or pasted.

/** The helpers are those of the page; `watch` is given the folder. */
export function connectChooser({ byId, say, create, named, setText, ask, watch }) {
  const chooser = byId('chooser')
  let at
  async function browse(place) {
    try {
      const folders = await ask(`/subfolders?at=${encodeURIComponent(place)}`)
      at = folders.at
      setText('at', at)
      setText('path-problem', '')
      byId('above').hidden = folders.above === undefined
      byId('above').onclick = () => browse(folders.above)
      byId('watch').disabled = at === ''
      const separator = at.includes('\\') ? '\\' : '/'
      const entries = folders.names.map((name) => {
        const button = create('button', named(name), { type: 'button' })
        button.addEventListener('click', () =>
          browse(at === '' ? name : `${at.replace(/[\\/]$/, '')}${separator}${name}`),
        )
        return create('li', button)
      })
      byId('subfolders').replaceChildren(...(entries.length > 0 ? entries : [create('li', say('noSubfolders'))]))
    } catch (error) {
      setText('path-problem', error instanceof TypeError ? say('offline') : error.message)
    }
  }
  byId('add-folder').addEventListener('click', () => {
    byId('folder-path').value = ''
    chooser.showModal()
    void browse('')
  })
  byId('path-form').addEventListener('submit', (event) => {
    event.preventDefault()
    // As file managers copy it on Windows.
    void browse(
      byId('folder-path')
        .value.trim()
        .replace(/^"(.*)"$/, '$1'),
    )
  })
  byId('cancel').addEventListener('click', () => chooser.close())
  byId('watch').addEventListener('click', () => {
    chooser.close()
    watch(at)
  })
}
