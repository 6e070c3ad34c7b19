/** First stop of the keyboard: past the navigation, to the page itself. */
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
