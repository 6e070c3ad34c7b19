/** The first keyboard stop: skips the navigation. */
export function SkipLink() {
  const skip = (event: React.MouseEvent) => {
    event.preventDefault()
    document.getElementById('content')?.focus()
  }
  return (
    <a className="dmp-skip" href="#content" onClick={skip}>
      Skip to content
    </a>
  )
}
