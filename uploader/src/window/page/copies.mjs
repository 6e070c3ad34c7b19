// Buttons that copy what stands elsewhere in the page.

/** `data-copy` names the element; what is said of it stands beside the button. */
export function connectCopies({ byId, say }) {
  for (const button of document.querySelectorAll('[data-copy]'))
    button.addEventListener('click', async () => {
      const source = byId(button.dataset.copy)
      const status = button.nextElementSibling
      try {
        await navigator.clipboard.writeText(source.textContent)
        status.textContent = say('isCopied')
      } catch {
        // A browser that does not let it be copied still lets it be chosen.
        getSelection().selectAllChildren(source)
      }
    })
}
