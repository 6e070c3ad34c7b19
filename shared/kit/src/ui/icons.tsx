/**
 * Outlines on a 24 × 24 grid in the colour of the surrounding text. An icon library would weigh ten times as much on
 * every page.
 */
const circle = 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18'
const eye = 'M2 12c3-5 6-7 10-7s7 2 10 7c-3 5-6 7-10 7s-7-2-10-7M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6'

export interface IconProps {
  /** Degrees. */
  readonly rotate?: number
  readonly className?: string
}

/** `dmp-points`: mirrored where lines run from right to left. */
const icon = (outline: string, own = '') =>
  function Icon({ rotate, className = '' }: IconProps) {
    // An icon beside a word must not become part of the button's name ("plus Add User").
    return (
      <svg
        className={`dmp-outline ${own} ${className}`}
        viewBox="0 0 24 24"
        aria-hidden="true"
        style={rotate === undefined ? undefined : { transform: `rotate(${rotate}deg)` }}
      >
        <path d={outline} />
      </svg>
    )
  }

export const BellOutlined = /* @__PURE__ */ icon('M6 17v-6a6 6 0 0 1 12 0v6M4 17h16M10 20h4')
export const CheckCircleOutlined = /* @__PURE__ */ icon(`${circle}M8 12l3 3 5-6`)
export const CheckOutlined = /* @__PURE__ */ icon('M5 12l5 5 9-10')
export const ClockCircleOutlined = /* @__PURE__ */ icon(`${circle}M12 7v5l3 2`)
export const CloseCircleOutlined = /* @__PURE__ */ icon(`${circle}M9 9l6 6M15 9l-6 6`)
export const CloseOutlined = /* @__PURE__ */ icon('M6 6l12 12M18 6L6 18')
export const CopyOutlined = /* @__PURE__ */ icon('M9 9h11v11H9zM5 15H4V4h11v1')
export const DeleteOutlined = /* @__PURE__ */ icon('M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5')
export const DesktopOutlined = /* @__PURE__ */ icon('M3 5h18v11H3zM8 20h8M12 16v4')
export const DownloadOutlined = /* @__PURE__ */ icon('M12 4v11M7 11l5 5 5-5M4 20h16')
export const ExclamationCircleOutlined = /* @__PURE__ */ icon(`${circle}M12 7v6M12 16h.01`)
export const EyeInvisibleOutlined = /* @__PURE__ */ icon(`${eye}M4 4l16 16`)
export const EyeOutlined = /* @__PURE__ */ icon(eye)
export const GlobalOutlined = /* @__PURE__ */ icon(`${circle}M3 12h18M12 3c-5 5-5 13 0 18M12 3c5 5 5 13 0 18`)
export const InfoCircleOutlined = /* @__PURE__ */ icon(`${circle}M12 11v5M12 8h.01`)
export const MinusCircleOutlined = /* @__PURE__ */ icon(`${circle}M8 12h8`)
export const MoonOutlined = /* @__PURE__ */ icon('M20 14A8 8 0 0 1 10 4a8 8 0 1 0 10 10')
export const PauseCircleOutlined = /* @__PURE__ */ icon(`${circle}M10 9v6M14 9v6`)
export const RightOutlined = /* @__PURE__ */ icon('M9 5l7 7-7 7', 'dmp-points')
export const SunOutlined = /* @__PURE__ */ icon(
  'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.5 1.5M17.5 17.5L19 19M19 5l-1.5 1.5M6.5 17.5L5 19',
)
export const UploadOutlined = /* @__PURE__ */ icon('M12 16V5M7 9l5-5 5 5M4 20h16')
