/** The lessons, in the order in which they are named. */

import type { Lesson } from "../../wire.ts";
import { en } from "../../words/lessons/en.ts";

export type LessonName = Lesson["lesson"];

export const LESSONS = Object.keys(en.lessons.names) as readonly LessonName[];

/** The one after it; none after the last. */
export function after(lesson: LessonName): LessonName | undefined {
  return LESSONS[LESSONS.indexOf(lesson) + 1];
}
