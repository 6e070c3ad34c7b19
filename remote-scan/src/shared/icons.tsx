// The kit's set has no such outlines, and a host that is older than this remote would not bring them.
const outline = (path: string) =>
  function Icon() {
    return (
      <svg className="dmp-outline" viewBox="0 0 24 24" aria-hidden="true">
        <path d={path} />
      </svg>
    )
  }

export const ShareIcon = outline('M14 5h5v5M19 5l-8 8M17 14v5H5V7h5')
export const MoreIcon = outline('M5 11.5v1M12 11.5v1M19 11.5v1')
