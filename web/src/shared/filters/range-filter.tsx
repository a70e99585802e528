import * as Slider from '@radix-ui/react-slider';
import { useState } from 'react';
import { useT } from '@/i18n';
import { useVisitor } from '@/lib/visitor';
import type { RangeFilter as Name } from '@/search/listing';
import type { Bounds } from '@/search/model-listing';
import type { Spread } from '@/search/response';
import { FilterGroup } from './filter-group';
import { Histogram } from './histogram';
import { unitText } from './value-text';

interface Props {
  name: Name;
  bounds: Bounds;
  /** The count for each value. */
  spread: Spread;
  /** A range in the form `min.max`, either end of which may be open. Undefined stands for the whole range. */
  value: string | undefined;
  onChange: (value: string | null) => void;
}

/** Parses a range such as `25.34`. Open ends are filled from the bounds. */
export function readRange(value: string | undefined, { min, max }: Bounds): [number, number] {
  const [low = '', high = ''] = (value ?? '').split('.');
  const clamp = (number: number) => Math.min(max, Math.max(min, number));
  return [low ? clamp(Number(low)) : min, high ? clamp(Number(high)) : max];
}

/** A slider with two thumbs. The list updates when a thumb is released. */
export function RangeFilter({ name, bounds, spread, value, onChange }: Props) {
  const t = useT();
  const { lang } = useVisitor();
  const [dragged, setDragged] = useState<number[] | null>(null);
  const [low, high] = dragged ?? readRange(value, bounds);
  const thumb =
    'block size-5 rounded-full border-2 border-accent bg-surface shadow-pop touch focus-visible:outline-offset-4';
  const text = (number: number | undefined) => unitText(name, number ?? 0, { t, lang });
  return (
    <FilterGroup title={t(`filter.${name}`)}>
      <p className="pb-3 text-sm text-muted tabular-nums">
        {text(low)} – {text(high)}
      </p>
      <Histogram spread={spread} bounds={bounds} chosen={[low ?? bounds.min, high ?? bounds.max]} />
      <Slider.Root
        min={bounds.min}
        max={bounds.max}
        step={1}
        minStepsBetweenThumbs={0}
        value={[low ?? bounds.min, high ?? bounds.max]}
        onValueChange={setDragged}
        onValueCommit={([from = bounds.min, to = bounds.max]) => {
          setDragged(null);
          const whole = from <= bounds.min && to >= bounds.max;
          onChange(whole ? null : `${String(from)}.${String(to)}`);
        }}
        className="relative mx-2.5 flex h-6 touch-none items-center select-none"
      >
        <Slider.Track className="relative h-1 grow rounded-full bg-hover">
          <Slider.Range className="absolute h-full rounded-full bg-accent" />
        </Slider.Track>
        <Slider.Thumb
          aria-label={t('filter.from', { name: t(`filter.${name}`) })}
          aria-valuetext={text(low)}
          className={thumb}
        />
        <Slider.Thumb
          aria-label={t('filter.to', { name: t(`filter.${name}`) })}
          aria-valuetext={text(high)}
          className={thumb}
        />
      </Slider.Root>
    </FilterGroup>
  );
}
