# benchmarks: tests of the harness's statistics, worked out by hand.
import unittest

from harness.statistics import interval, median, ratios


class Statistics(unittest.TestCase):
    def test_of_ten_samples_the_second_and_the_ninth_enclose_the_median(self):
        self.assertEqual(interval([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]), (2, 9))

    def test_of_few_samples_the_extremes_are_given(self):
        self.assertEqual(interval([3, 1, 2]), (1, 3))
        self.assertEqual(interval([7]), (7, 7))

    def test_the_median_of_an_even_number_lies_between(self):
        self.assertEqual(median([1, 2, 3, 4]), 2.5)

    def test_ratios_are_taken_round_by_round(self):
        self.assertEqual(ratios([2, 20], [1, 10]), [2, 2])
        with self.assertRaises(ValueError):
            ratios([1, 2], [1])


if __name__ == "__main__":
    unittest.main()
